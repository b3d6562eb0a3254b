import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBroken, LIST, type RanTest, readStatements } from '../checks/specification.ts';

// The last part of `npm test`: reports the statements whose tests did not run or failed. Arguments: the tests that ran, the report.
const [ranTests = '', report = ''] = process.argv.slice(2);
const statements = readStatements(readFileSync(join(import.meta.dirname, '..', LIST), 'utf8'));
const broken = findBroken(statements, JSON.parse(readFileSync(ranTests, 'utf8')) as RanTest[]);
const tested = statements.filter(({ tests }) => tests.length > 0).length;
const failed = new Set(broken.map(({ number }) => number)).size;
const failures = broken.map(({ number, text }) => ({ name: number, text }));
writeFileSync(report, JSON.stringify({ passed: tested - failed, failures }));
