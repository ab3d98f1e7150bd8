// code-server lets every extension use every proposed API. This script restores VS Code's own rule, so that a test
// fails here exactly if the extension would fail for a person.
import fs from 'node:fs';
import path from 'node:path';

const rule =
  /function ([\w$]+)\(([\w$]+),([\w$]+)\)\{return!0\}(function [\w$]+\(\2,\3\)\{if\(!\1\(\2,\3\)\)throw new Error\(`Extension '\$\{\2\.identifier\.value\}' CANNOT use API proposal)/;
const strict = 'function $1($2,$3){return!!$2.enabledApiProposals&&$2.enabledApiProposals.includes($3)}$4';
const marker = 'CANNOT use API proposal';

// allowOnlyDeclaredProposals rewrites the bundles below out, VS Code's `out/vs`.
export function allowOnlyDeclaredProposals(out) {
  let bundles = 0;
  for (const name of fs.readdirSync(out, { recursive: true })) {
    if (!name.endsWith('.js')) continue;
    const file = path.join(out, name);
    const source = fs.readFileSync(file, 'utf8');
    if (!source.includes(marker)) continue;
    const patched = source.replace(rule, strict);
    if (patched === source) continue;
    fs.writeFileSync(file, patched);
    bundles++;
  }
  if (bundles === 0)
    throw new Error(`no bundle below ${out} has the check for proposed APIs: has code-server changed?`);
}
