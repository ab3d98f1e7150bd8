package mdblock

import "testing"

func TestDeclined(t *testing.T) {
	for _, c := range []struct{ name, doc, want string }{
		{"of a structured patch", "Sorry.\n\nA patch cannot be safely generated with the information provided.\n", "A patch cannot be safely generated with the information provided."},
		{"with a wish", "A patch cannot be safely generated with the information provided. Please allow a full Aptix file bundle instead.", "A patch cannot be safely generated with the information provided."},
		{"of a git patch", "Unable to generate a safe Git patch; fallback to Aptix file bundle.", "Unable to generate a safe Git patch; fallback to Aptix file bundle."},
		{"of a git patch, longer", "> Unable to generate a safe Git patch; fallback to Aptix file bundle or structured patch.", "Unable to generate a safe Git patch; fallback to Aptix file bundle or structured patch."},
		{"as code in a quote", "> 'A patch cannot be safely generated with the information provided.'\n", "A patch cannot be safely generated with the information provided."},
		{"bold, in capitals", "**A PATCH** cannot be *safely* generated!", "A PATCH** cannot be *safely* generated!"},
		{"curly quotes", "“A patch can’t be safely generated”", "A patch can’t be safely generated”"},
		{"can not", "a patch can not be safely generated", "a patch can not be safely generated"},
		{"wrapped", "> Unable to generate a\n> safe Git\n> patch, sorry\n>\n> Bye.", "Unable to generate a\n> safe Git\n> patch, sorry"},
		{"wrapped with CRLF", "A patch cannot be\r\nsafely generated.\r\n", "A patch cannot be\r\nsafely generated."},
		{"a word twice", "Such a a patch cannot be safely generated.", "a patch cannot be safely generated."},
		{"behind a block", "'''go\nx\n'''\nA patch cannot be safely generated.", "A patch cannot be safely generated."},
		{"in a block", "'''text\nA patch cannot be safely generated.\n'''\n", ""},
		{"around a block", "A patch cannot be\n'''go\n'''\nsafely generated.", ""},
		{"in two paragraphs", "A patch cannot be\n\nsafely generated.", ""},
		{"in two sentences", "A patch cannot be. Safely generated.", ""},
		{"other words", "A patch can be safely generated.", ""},
		{"in the middle of a word", "A patch cannot be safely generatedness.", ""},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := ticks(c.doc)
			span, ok := Read(doc).Declined()
			if got := span.In(doc); ok != (c.want != "") || got != ticks(c.want) {
				t.Errorf("got %q %v, want %q", got, ok, c.want)
			}
		})
	}
}
