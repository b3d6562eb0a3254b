// Verifies an audit log that a school downloaded as JSON Lines. It needs nothing but Node and the file:
//   node verify-audit-export.mjs changes.jsonl [NUMBER DIGEST]
// NUMBER and DIGEST are those of a line of an earlier download: the chain must still have them.
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';

const hex = (text) => Buffer.from(text, 'hex');

/** What is wrong with the entry of a line; undefined if nothing is. */
function faultOf({ seal, ...entry }) {
  const isErased = seal.details_salt === null;
  const details = isErased
    ? seal.details_text === '{}'
    : createHmac('sha256', hex(seal.details_salt)).update(seal.details_text).digest('hex') === seal.details_digest;
  if (!details) return 'its details were changed';
  const fields = [
    entry.id,
    entry.at,
    entry.action,
    entry.subject_kind,
    entry.subject_id,
    seal.actor_user_id,
    seal.impersonator_user_id,
    seal.sealed_at,
    ...(seal.program_id === null ? [] : [seal.program_id]),
  ];
  const digest = createHash('sha256')
    .update(hex(seal.previous_digest))
    .update(hex(seal.details_digest))
    .update(JSON.stringify(fields))
    .digest('hex');
  return digest === seal.digest ? undefined : 'it was changed';
}

const [file, number, digest] = process.argv.slice(2);
if (!file || (number !== undefined && !digest)) {
  process.stderr.write('Usage: node verify-audit-export.mjs FILE [NUMBER DIGEST]\n');
  process.exit(1);
}
const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
const entries = lines.map((line) => JSON.parse(line));
const sealed = entries.filter(({ seal }) => seal).toSorted((a, b) => a.seal.number - b.seal.number);
const faults = [];
let gaps = 0;
for (const [index, entry] of sealed.entries()) {
  const fault = faultOf(entry);
  if (fault) faults.push(`entry ${entry.id}: ${fault}`);
  const before = sealed[index - 1]?.seal;
  if (!before) continue;
  if (entry.seal.number !== before.number + 1) gaps += 1;
  else if (entry.seal.previous_digest !== before.digest)
    faults.push(`entry ${entry.id}: the chain is broken before it`);
}
if (number !== undefined) {
  const known = sealed.find(({ seal }) => seal.number === Number(number));
  if (!known) faults.push(`number ${number} is not in this file`);
  else if (known.seal.digest !== digest)
    faults.push(`number ${number} has another digest than in the earlier download`);
}
const last = sealed.at(-1)?.seal;
process.stdout.write(`${sealed.length} entries are sealed, ${entries.length - sealed.length} wait to be.\n`);
if (gaps > 0)
  process.stdout.write(`${gaps} gaps: other entries are not in this file. Download without filters to verify all.\n`);
if (last) process.stdout.write(`Keep these two for the next time: ${last.number} ${last.digest}\n`);
for (const fault of faults) process.stdout.write(`✗ ${fault}\n`);
if (faults.length === 0) process.stdout.write('✓ every entry matches its digest\n');
process.exit(faults.length === 0 ? 0 : 1);
