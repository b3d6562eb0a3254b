import type { Holding, RetentionNight } from '#contract/calls/privacy.ts';
import { formatPeriod } from '#contract/period.ts';
import { type HoldingName, HOLDINGS, holdings } from './holdings.registry.ts';
import { CLOCK_JUMP } from '../../../database/trusted-time.ts';
import { STORES } from './stores.registry.ts';
import type { RetentionRule } from './table-entry.registry.ts';
import { kindOf, type TableName } from '../../../database/table-kinds.ts';
import { rulesOf, shortenableRule, TABLES, tableEntries } from './tables.registry.ts';

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** "30 days after the last use", or "until it expires" for a rule without a period. */
const describeRule = ({ days, months, since }: Pick<RetentionRule, 'days' | 'months' | 'since'>): string =>
  days === 0 || (days === undefined && months === undefined)
    ? capitalise(since)
    : `${formatPeriod({ days, months })} ${since}`;

const tablesOf = (holding: HoldingName): TableName[] =>
  tableEntries.filter(([, entry]) => entry.holding === holding).map(([table]) => table);

/** The table of a holding whose period a school may shorten. */
const shortenableTable = (holding: HoldingName): TableName | undefined =>
  tablesOf(holding).find((table) => shortenableRule(table));

/** How long a holding is kept. */
export function describeKept(name: HoldingName, chosen?: number | null): string {
  const { kept } = HOLDINGS[name] as { kept?: string };
  const rules = tablesOf(name).flatMap((part) =>
    rulesOf(part)
      .filter(({ choices, column, days, months }) => !(choices && column && days === undefined && months === undefined))
      .map((rule) => describeRule(rule.choices && chosen ? { since: rule.since, days: chosen } : rule)),
  );
  const table = shortenableTable(name);
  const rule = table && shortenableRule(table);
  // A rule without a period of its own: the school's choice comes before what keeps the rows otherwise.
  const isOptional = rule && rule.days === undefined && rule.months === undefined;
  const parts = [
    ...(isOptional && chosen ? [`${formatPeriod({ days: chosen })} ${rule.since}`] : []),
    ...(kept ? [kept] : []),
    ...new Set(rules),
  ];
  return `${parts.join('. ')}.`;
}

const describeExport = (name: HoldingName): string => {
  const { exported } = HOLDINGS[name];
  return typeof exported === 'string' ? `In the download of the school, ${exported}.` : `${exported.shown}.`;
};

/** What is stored, for a school: its chosen periods, and the rows removed from it last night, by table. */
export function describeHoldings(
  chosen: ReadonlyMap<string, number | null>,
  removed: ReadonlyMap<string, number>,
  backupDays: number,
): Holding[] {
  const inDays = (text: string) => text.replace('BACKUP_DAYS', String(backupDays));
  return holdings.map(([name, holding]) => {
    const table = shortenableTable(name);
    const rule = table && shortenableRule(table);
    const days = table ? (chosen.get(table) ?? null) : null;
    const schoolTables = tablesOf(name).filter((part) => kindOf(part) === 'school');
    return {
      name,
      title: holding.title,
      contents: holding.contents,
      whose: [...holding.whose],
      purpose: holding.purpose,
      legal: holding.legal ?? null,
      recipients: holding.recipients,
      exported: describeExport(name),
      erased: inDays(`${holding.erased.replace(/\.$/, '')}.`),
      kept: inDays(describeKept(name, days)),
      period:
        table && rule
          ? {
              table,
              choices: [...(rule.choices ?? [])],
              days,
              longest: rule.days === undefined && rule.months === undefined ? (holding.kept ?? '') : formatPeriod(rule),
            }
          : null,
      removed: schoolTables.some((part) => rulesOf(part).length > 0)
        ? schoolTables.reduce((sum, part) => sum + (removed.get(part) ?? 0), 0)
        : null,
    };
  });
}

/** The title of the table's holding. */
export const titleOf = (table: TableName): string => HOLDINGS[TABLES[table].holding].title;

/** A table that the registry no longer has keeps its name. */
const titleOfRun = (table: string): string => {
  if (table === CLOCK_JUMP) return 'Nothing was deleted: the clock may have been wrong';
  return table in TABLES ? titleOf(table as TableName) : table;
};

/** The retention log, night by night. */
export const toNights = (
  rows: readonly { day: string; table_name: TableName; removed: number; has_failed: boolean }[],
): RetentionNight[] =>
  [...Map.groupBy(rows, ({ day }) => day)].map(([day, tables]) => ({
    day,
    tables: tables.map(({ table_name: table, removed, has_failed }) => ({
      table,
      title: titleOfRun(table),
      removed,
      has_failed,
    })),
  }));

const escapeCell = (text: string) => text.replaceAll('|', '\\|');

/** The table of docs/retention.md, in Markdown. */
function renderRetentionTable(): string {
  const rows = holdings.map(([name, { title, contents, whose, purpose, recipients, erased }]) =>
    [
      title,
      contents,
      whose.join(', '),
      purpose,
      recipients,
      describeKept(name),
      erased,
      describeExport(name),
      [...tablesOf(name).map((table) => `\`${table}\``), ...storesOf(name).map((store) => `\`${store}\``)].join(', '),
    ]
      .map(escapeCell)
      .join(' | '),
  );
  return [
    '| data | contents | about | purpose | received by | kept | erased by | a copy for the school | stored in |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

const storesOf = (name: HoldingName): string[] =>
  Object.entries(STORES).flatMap(([store, { holding }]) => (holding === name ? [store] : []));

/** The text of docs/retention.md with the current table. */
export const replaceRetentionTable = (text: string): string =>
  text.replace(/(?<=\n)\| data \|[^]*?\n(?=\n)/, () => `${renderRetentionTable()}\n`);
