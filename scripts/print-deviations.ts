import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIST, PAGE, printDeviations, readStatements } from '../checks/specification.ts';

// `npm run deviations` generates docs/deviations.md from docs/specification.tsv.
const root = join(import.meta.dirname, '..');
writeFileSync(join(root, PAGE), printDeviations(readStatements(readFileSync(join(root, LIST), 'utf8'))));
