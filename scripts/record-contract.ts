import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { api } from '#contract/api.ts';
import type { Document } from '#contract/breaking-changes.ts';
import { openapiDocument } from '#contract/openapi.ts';
import { printDocument } from '#contract/recorded.ts';

// `npm run record-contract`, at a release: records the OpenAPI document and the status of each call in each state.
const root = join(import.meta.dirname, '..');
const document = openapiDocument(api, 'Storylark') as unknown as Document;
writeFileSync(join(root, 'contract/recorded/openapi.json'), printDocument(document));
const vitest = join(createRequire(import.meta.url).resolve('vitest/package.json'), '../vitest.mjs');
const run = ['run', '--project', 'database', 'server/src/http/recorded-statuses.test.ts'];
const { status } = spawnSync(process.execPath, [vitest, ...run], {
  cwd: root,
  env: { ...process.env, RECORD_CONTRACT: 'on' },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
