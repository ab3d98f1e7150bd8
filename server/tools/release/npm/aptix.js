#!/usr/bin/env node
// Runs the program of the package for this system.
const { spawnSync } = require('node:child_process');
const { constants } = require('node:os');

const name = `@aptix-dev/aptix-${process.platform}-${process.arch}`;
const file = process.platform === 'win32' ? 'aptix.exe' : 'aptix';

function program() {
  try {
    return require.resolve(`${name}/${file}`);
  } catch {
    console.error(`aptix: the package ${name} is not installed; install aptix again, with optional dependencies`);
    process.exit(2);
  }
}

const { error, signal, status } = spawnSync(program(), process.argv.slice(2), { stdio: 'inherit' });
if (error) console.error(`aptix: ${error.message}`);
process.exit(status ?? (signal ? 128 + constants.signals[signal] : 2));
