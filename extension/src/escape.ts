// Makes text of unknown origin safe to show. A reply, a repository, an agent or a database may have chosen its
// characters. No character may become a link, a command, an icon or markup, or change how the surrounding text is
// shown. The server escapes the texts that it writes; this file escapes labels, paths and errors. Escaping a text twice
// with line, message or label does no harm.

const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const shaping = /\n|\t|\u200c|\u200d|\p{Variation_Selector}/u; // line breaks, and characters that shape the letter before them

// line escapes text for names and titles.
export function line(text: string): string {
  return text.replace(invisible, written);
}

// message escapes text for notifications and dialogs, in which VS Code converts [text](target) to links and buttons.
export function message(text: string): string {
  return text.replace(invisible, (c) => (shaping.test(c) ? c : written(c))).replaceAll('](', ']\\(');
}

// label escapes text for the status bar, in which $(name) is an icon.
export function label(text: string): string {
  return line(text).replace(/\\?\$\(/g, '\\$(');
}

// markdown escapes text for the inside of a line of Markdown. It does not escape characters that are markup only at the
// beginning of a line.
export function markdown(text: string): string {
  return line(text)
    .replace(/[\\`*_[\]>&~|$@]|(?<=\])\(/g, '\\$&')
    .replaceAll('<', '&lt;')
    .replace(/(https?|ftp|mailto|xmpp)(:)|(www)(\.)/gi, '$1$3\\$2$4');
}

function written(character: string): string {
  const named: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  const code = character.codePointAt(0) ?? 0;
  const hex = (digits: number) => code.toString(16).padStart(digits, '0');
  if (code < 0x80) return named[character] ?? `\\x${hex(2)}`;
  return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}
