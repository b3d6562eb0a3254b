import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceRetentionTable } from '../features/privacy/registry/registry.public.ts';

// `npm run -s retention` prints docs/retention.md with the table that the registry declares; `npm run retention -- --write` updates it.
const path = join(import.meta.dirname, '../../../docs/retention.md');
const text = replaceRetentionTable(readFileSync(path, 'utf8'));
if (process.argv.includes('--write')) writeFileSync(path, text);
else process.stdout.write(text);
