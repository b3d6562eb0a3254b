import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Figure } from './measure.ts';
import { SETTINGS } from './postgres.ts';

const mark = ({ met }: Figure): string => (met === undefined ? '' : met ? 'yes' : '**no**');

/** A figure's name without the numbers that differ from run to run. */
const nameOf = ({ what }: Figure): string => what.replace(/ \(.*\)$/, '').replace(/\d{4,}/g, '');

/**
 * The figures as a Markdown table, aligned for a terminal.
 * @param earlier figures of another version of the portal, taken in a run of its own; none for no such column
 */
export function showTable(figures: readonly Figure[], earlier: readonly Figure[]): string {
  const before = new Map(earlier.map((figure) => [nameOf(figure), figure.is]));
  const all = [
    ['Figure', 'Before', 'Is', 'Target', 'Met'],
    ...figures.map((figure) => [
      figure.what,
      before.get(nameOf(figure)) ?? '',
      figure.is,
      figure.target ?? '',
      mark(figure),
    ]),
  ];
  const rows = earlier.length > 0 ? all : all.map(([name = '', , ...rest]) => [name, ...rest]);
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows.map(line);
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n');
}

/** What a whole run was taken on. */
export interface RunDescription {
  schools: number;
  postgresVersion: string;
}

/** Writes RESULTS.md: the table of one whole run, and the machine that it was taken on. */
export function storeResults(
  figures: readonly Figure[],
  earlier: readonly Figure[],
  { schools, postgresVersion }: RunDescription,
): void {
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  const settings = Object.entries(SETTINGS)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
  writeFileSync(
    join(import.meta.dirname, 'RESULTS.md'),
    `# Results

Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${schools} schools, ${schools * 400} pupils, ${schools * 4000} reading sessions; the day of schools on a database of its own.
Each figure is the median of 5 rounds, in which the portal and what it is compared with took turns.
The bare route is a Fastify route that sends one prepared statement: the least SQL that finds the same rows.
Processor time is that of the portal's process, of the bare route's, or of one PostgreSQL backend.${earlier.length > 0 ? '\n"Before" is another version, measured by the same bench in a run of its own.' : ''}

${showTable(figures, earlier)}

Machine: ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${gigabytes} GiB of memory, shared by load, portal and database.
Node ${process.versions.node}, ${postgresVersion} with ${settings}; fsync and synchronous_commit on.
`,
  );
}
