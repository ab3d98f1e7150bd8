// The ap patch of the tests, and the colors that its words have.

export const ap = `# Summary: a constant.
0a1b2c3d AP 3.1

0a1b2c3d FILE
money.py

0a1b2c3d INSERT_AFTER
0a1b2c3d snippet
"""Amounts of money, in cents."""
0a1b2c3d content
SCALE = 100
`;

// differentColors tells whether a directive, its value, and both kinds of word in its content have four colors.
export async function differentColors(editor) {
  const words = ['SCALE', '100', 'INSERT_AFTER', 'money.py'];
  return new Set(await Promise.all(words.map((word) => editor.color(word)))).size === words.length;
}
