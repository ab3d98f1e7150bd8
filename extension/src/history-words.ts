// Texts of the history view.
import type { File } from './protocol.gen';

type Style = 'long' | 'short';

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

// ago returns the age of a time in RFC 3339: "5 minutes ago", or "5 min. ago" in the short style. Within a minute it
// returns "now".
export function ago(time: string, style: Style, now = Date.now()): string {
  const seconds = (now - Date.parse(time)) / 1000;
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? ['second', Infinity];
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto', style }).format(-Math.trunc(seconds / size), unit);
}

// summary returns "3 files +10 −2", or "3 files" without lines.
export function summary(files: File[], withLines = true): string {
  const { added, removed } = count(files);
  const text = files.length === 1 ? '1 file' : `${files.length} files`;
  return withLines ? `${text} +${added} −${removed}` : text;
}

export function count(files: File[]): { added: number; removed: number } {
  const sum = (key: 'added' | 'removed') => files.reduce((total, file) => total + file[key], 0);
  return { added: sum('added'), removed: sum('removed') };
}

// lines describes two counts of lines in words, because screen readers often skip a minus sign.
export function lines(added: number, removed: number): string {
  return `${added} added, ${removed} removed`;
}
