// A person with an ap patch in a reply: it has the colors that it has in a file.
import { test } from 'node:test';
import { ap, differentColors } from './ap.mjs';
import { openSample } from './editor.mjs';
import { until } from './until.mjs';

const { editor } = await openSample({
  reply: `# A reply\n\n\`\`\`ap\n${ap.replace('money.py', 'shop/money.py')}\`\`\`\n\nThe end.\n`,
});

test('in a reply it has the same colors', async () => {
  await editor.state('1 file +1 −0').waitFor();
  await until(() => differentColors(editor));
  await editor.screenshot('ap-reply');
});
