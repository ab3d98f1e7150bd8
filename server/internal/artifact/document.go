package artifact

import (
	"path"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// IsDocument reports whether a file is meant for people to read. Such a file may quote code, fences and changes, or
// number its lines.
func IsDocument(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return documents[ext] || ext == "" && titles[path.Base(name)]
}

// IsMarkup reports whether a file is written as elements with tags, such as HTML.
func IsMarkup(name string) bool { return markup[strings.ToLower(path.Ext(name))] }

var (
	documents = text.WordSet(".md .mdx .markdown .txt .rst .rdoc .adoc .qmd .rmd .org .eml .snap")
	markup    = text.WordSet(".xml .html .htm .xhtml .svg .vue .svelte .xsl .rss .csproj .fsproj .props .xaml .plist .hbs .handlebars .mustache .liquid .twig .ejs .njk .erb .heex .cshtml .razor .jsp .ftl .astro .xslt .fxml")
)

// titles holds the usual names of documents without an extension. Other files without an extension, such as
// `Makefile`, count as programs.
var titles = text.WordSet("README LICENSE LICENCE COPYING COPYRIGHT NOTICE AUTHORS CONTRIBUTORS CONTRIBUTING MAINTAINERS CREDITS THANKS PATENTS CHANGES CHANGELOG ChangeLog HISTORY NEWS TODO INSTALL BUGS HACKING UPGRADING SECURITY FAQ")
