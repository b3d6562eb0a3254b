import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { SimulationEnvironment } from './database.ts';
import type { Figure } from './measure.ts';
import { SETTINGS } from './postgres.ts';

const mark = ({ met }: Figure): string => (met === undefined ? '' : met ? 'yes' : '**no**');

/** The figures as a Markdown table, aligned for a terminal. */
export function showTable(figures: readonly Figure[]): string {
  const rows = [
    ['Figure', 'Is', 'Target', 'Met'],
    ...figures.map((figure) => [figure.what, figure.is, figure.target ?? '', mark(figure)]),
  ];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows.map(line);
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n');
}

/** Writes the table into RESULTS.md with what it was taken on. */
export function storeResults(figures: readonly Figure[], world: SimulationEnvironment): void {
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  const settings = Object.entries(SETTINGS)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
  writeFileSync(
    join(import.meta.dirname, 'RESULTS.md'),
    `# Figures

Taken by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${world.schools} schools, ${world.schools * 400} pupils, ${world.schools * 4000} reading sessions.
Each is the median of 5 rounds; the portal and what it is held against took turns in one run.
"Bare" is a Fastify route that sends one prepared statement and does nothing else, or a loop of the hash function.

${showTable(figures)}

Machine: ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${gigabytes} GiB of memory, shared by load, portal and database.
Node ${process.versions.node}, ${world.postgres.version} with ${settings}; fsync and synchronous_commit on.
`,
  );
}
