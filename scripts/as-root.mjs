import { execFileSync } from 'node:child_process';

// asRoot runs a command with the rights to install programs.
export function asRoot(...command) {
  const [program, ...args] = process.getuid?.() === 0 ? command : ['sudo', '-n', ...command];
  execFileSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
}
