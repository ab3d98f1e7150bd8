import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { type ExtensionContext, Uri } from 'vscode';
import { type Folders, ownProgram, Program } from '../src/program';

const content = Buffer.concat([randomBytes(3_000_000), Buffer.alloc(3_000_000)]);
const notWritable = '/sys'; // not even by root, which may run the tests

describe('the program', () => {
  let folders: Folders;
  let own: string;
  let stored: string;

  beforeEach(() => {
    const root = fs.mkdtempSync(path.join(tmpdir(), 'aptix-program-'));
    const bin = path.join(root, 'bin');
    folders = { packed: bin, own: bin, storage: path.join(root, 'storage'), version: 'aptix.aptix-2.0.0' };
    fs.mkdirSync(bin);
    own = path.join(bin, 'aptix');
    stored = path.join(folders.storage, 'aptix.aptix-2.0.0/bin/aptix');
    fs.writeFileSync(`${own}.br`, brotliCompressSync(content));
    fs.writeFileSync(`${own}.sha256`, `${createHash('sha256').update(content).digest('hex')}  aptix\n`);
  });

  afterEach(() => fs.rmSync(path.dirname(folders.packed), { recursive: true }));

  it('is unpacked when it is first needed', async () => {
    assert.equal(await new Program(folders).path(), own);
    assert.deepEqual(fs.readFileSync(own), content);
    assert.equal(fs.statSync(own).mode & 0o700, 0o700);
    assert.deepEqual(inBin(), ['aptix', 'aptix.br', 'aptix.sha256']);
  });

  it('is used as it is from then on', async () => {
    fs.writeFileSync(own, 'the program');
    fs.rmSync(`${own}.br`);
    assert.equal(await new Program(folders).path(), own);
    assert.equal(fs.readFileSync(own, 'utf8'), 'the program');
  });

  it('is unpacked once for all that wait for it', async () => {
    const program = new Program(folders);
    const waiting = Promise.all([program.path(), program.path()]);
    await fresh();
    assert.equal(inBin().filter((name) => name.endsWith('.tmp')).length, 1);
    assert.deepEqual(await waiting, [own, own]);
  });

  it('can be unpacked by several windows at the same time', async () => {
    const paths = await Promise.all(Array.from({ length: 5 }, () => new Program(folders).path()));
    assert.deepEqual(new Set(paths), new Set([own]));
    assert.deepEqual(fs.readFileSync(own), content);
    assert.deepEqual(inBin(), ['aptix', 'aptix.br', 'aptix.sha256']);
  });

  it('is the file of another window if its own cannot replace it', async () => {
    const path = new Program(folders).path();
    await fresh();
    fs.mkdirSync(own); // stands for a running program, which Windows cannot replace
    assert.equal(await path, own);
    assert.ok(fs.statSync(own).isDirectory());
    assert.deepEqual(inBin(), ['aptix', 'aptix.br', 'aptix.sha256']);
  });

  it('is unpacked without the remains of a window that ended meanwhile', async () => {
    fs.writeFileSync(`${own}.0d7a.tmp`, content.subarray(0, 1000));
    await new Program(folders).path();
    assert.deepEqual(inBin(), ['aptix', 'aptix.br', 'aptix.sha256']);
  });

  it('is never a damaged one', async () => {
    const whole = fs.readFileSync(`${own}.br`);
    const altered = Buffer.from(whole);
    altered[1_000_000] = (altered[1_000_000] ?? 0) ^ 1; // a byte of data that is stored uncompressed, so that unpacking does not fail earlier
    const short = [whole.subarray(0, 0), whole.subarray(0, 1_000_000), whole.subarray(0, -1)];
    for (const bytes of [...short, altered]) {
      fs.writeFileSync(`${own}.br`, bytes);
      const why = bytes === altered ? 'wrong checksum' : 'unexpected end of file';
      const message = `its program could not be unpacked to ${own}: the extension is damaged (${why}). Install it again`;
      await assert.rejects(new Program(folders).path(), { message });
      assert.deepEqual(inBin(), ['aptix.br', 'aptix.sha256']);
    }
    fs.writeFileSync(`${own}.br`, whole);
    assert.equal(await new Program(folders).path(), own);
  });

  it('is named in the error if the system refuses to write it', async () => {
    fs.rmSync(`${own}.br`);
    await assert.rejects(
      new Program(folders).path(),
      /could not be unpacked to \/.*\/bin\/aptix: ENOENT: .*aptix\.br'/,
    );
  });

  it('is in the storage if the folder of the extension cannot be written', async () => {
    const older = path.join(folders.storage, 'aptix.aptix-1.0.0/bin');
    fs.mkdirSync(older, { recursive: true });
    for (const _ of ['unpacked', 'found']) {
      assert.equal(await new Program({ ...folders, own: notWritable }).path(), stored);
      assert.deepEqual(fs.readFileSync(stored), content);
      assert.deepEqual(fs.readdirSync(folders.storage), ['aptix.aptix-2.0.0']);
    }
  });

  it('has a path in the storage that package shellcommand knows', async () => {
    const stored = path.join(folders.storage, 'program/aptix.aptix-2.0.0/bin/aptix');
    fs.mkdirSync(path.dirname(stored), { recursive: true });
    fs.writeFileSync(stored, content);
    const context = {
      extension: { id: 'aptix.aptix', packageJSON: { version: '2.0.0' } },
      globalStorageUri: Uri.file(folders.storage),
      asAbsolutePath: (name: string) => path.join(path.dirname(folders.own), name),
    };
    assert.equal(await ownProgram(context as unknown as ExtensionContext).path(), stored);
  });

  it('is named in the error if neither folder can be written', async () => {
    const program = new Program({ ...folders, own: notWritable, storage: '/sys/storage' });
    await assert.rejects(program.path(), /could not be unpacked to \/sys\/storage\/.*: E[A-Z]+: /);
  });

  function inBin(): string[] {
    return fs.readdirSync(folders.packed).sort();
  }

  // fresh waits until unpacking has begun.
  async function fresh(): Promise<void> {
    while (!inBin().some((name) => name.endsWith('.tmp'))) await new Promise(setImmediate);
  }
});
