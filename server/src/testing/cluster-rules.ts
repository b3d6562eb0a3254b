import { parseSync } from 'libpg-query';
import { isPreparable } from '../database/postgres-client.ts';
import { CATALOGUE_TABLES, PLATFORM_TABLES, SCHOOL_TABLES } from '../database/table-kinds.ts';

/*
 * The rules for statements on a cluster distributed by school, checked on PostgreSQL's own parse tree:
 * docs/decisions/cluster-by-school.md
 */

/** How a statement uses the tables, and which rules it breaks in any role. */
interface Statement {
  readsSchool: boolean;
  writesSchool: boolean;
  /** The role that the statement sets, if it does. */
  takesRole: 'school' | 'platform' | undefined;
  /** `begin`, `commit`, `rollback`; not savepoints. */
  transaction: 'begin' | 'end' | undefined;
  /** School tables for which the statement gives no school by value. */
  unbound: string[];
  breaches: string[];
}

type Node = Record<string, unknown>;

const SCHOOL = new Set<string>(SCHOOL_TABLES);
const PLATFORM = new Set<string>(PLATFORM_TABLES);
const CATALOGUE = new Set<string>(CATALOGUE_TABLES);

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Every descendant node of one kind, without entering the kinds in `stop`. */
function* findNodes(node: unknown, kind: string, stop: readonly string[] = []): Generator<Node> {
  if (Array.isArray(node)) for (const part of node) yield* findNodes(part, kind, stop);
  else if (isNode(node))
    for (const [key, value] of Object.entries(node)) {
      if (key === kind && isNode(value)) yield value;
      if (!stop.includes(key)) yield* findNodes(value, kind, stop);
    }
}

const textOf = (node: unknown): string | undefined =>
  isNode(node) && isNode(node.String) ? String(node.String.sval) : undefined;

/** `c.school_id` as `['c', 'school_id']`. */
const columnOf = (node: unknown): string[] | undefined =>
  isNode(node) && isNode(node.ColumnRef)
    ? (node.ColumnRef.fields as unknown[]).map((field) => textOf(field) ?? '*')
    : undefined;

/** A parameter or constant, cast or not: its value is known before any row is read. */
function isValue(node: unknown): boolean {
  if (!isNode(node)) return false;
  if ('ParamRef' in node || 'A_Const' in node) return true;
  return isNode(node.TypeCast) && isValue(node.TypeCast.arg);
}

/** The conditions that must all be true. */
function conjuncts(node: unknown): Node[] {
  if (!isNode(node)) return [];
  const both = node.BoolExpr;
  if (isNode(both) && both.boolop === 'AND_EXPR') return (both.args as unknown[]).flatMap(conjuncts);
  return [node];
}

interface Table {
  name: string;
  alias: string;
}

/** The tables and conditions of one query level: FROM, joins and target. */
function levelOf(sources: unknown[], where: unknown): { tables: Table[]; conditions: Node[] } {
  const tables: Table[] = [];
  const conditions = conjuncts(where);
  const visit = (node: unknown): void => {
    if (!isNode(node)) return;
    if (isNode(node.RangeVar)) addTable(node.RangeVar);
    else if (isNode(node.JoinExpr)) {
      visit(node.JoinExpr.larg);
      visit(node.JoinExpr.rarg);
      conditions.push(...conjuncts(node.JoinExpr.quals));
    }
  };
  const addTable = (range: Node): void => {
    if (range.schemaname !== undefined && range.schemaname !== 'public') return;
    const name = String(range.relname);
    tables.push({ name, alias: isNode(range.alias) ? String(range.alias.aliasname) : name });
  };
  for (const source of sources) visit(source);
  return { tables, conditions };
}

const keyOf = (table: string): string => (table === 'schools' ? 'id' : 'school_id');

/** Returns whether a condition gives the table's school by value. */
function isBound(table: Table, tables: readonly Table[], conditions: readonly Node[]): boolean {
  const others = tables.filter(({ name }) => name !== table.name && (SCHOOL.has(name) || PLATFORM.has(name)));
  const names = (column: string[] | undefined): boolean => {
    if (!column || column.at(-1) !== keyOf(table.name)) return false;
    return column.length === 1 ? others.length === 0 : column.at(-2) === table.alias;
  };
  return conditions.some((condition) => {
    const equal = condition.A_Expr;
    if (!isNode(equal) || equal.kind !== 'AEXPR_OP' || textOf((equal.name as unknown[])[0]) !== '=') return false;
    const { lexpr, rexpr } = equal;
    return (names(columnOf(lexpr)) && isValue(rexpr)) || (names(columnOf(rexpr)) && isValue(lexpr));
  });
}

/** Returns whether an insert gives its school by value in every row. */
function isInsertBound(insert: Node, table: string): boolean {
  const columns = ((insert.cols as unknown[] | undefined) ?? []).map((column) =>
    isNode(column) && isNode(column.ResTarget) ? String(column.ResTarget.name) : '',
  );
  const index = columns.indexOf(keyOf(table));
  // A new school gets its ID from the sequence.
  if (index < 0) return table === 'schools';
  const select = isNode(insert.selectStmt) && isNode(insert.selectStmt.SelectStmt) ? insert.selectStmt.SelectStmt : {};
  const rows = select.valuesLists as { List: { items: unknown[] } }[] | undefined;
  if (rows) return rows.every(({ List }) => isValue(List.items[index]));
  const target = (select.targetList as unknown[] | undefined)?.[index];
  return isNode(target) && isNode(target.ResTarget) && isValue(target.ResTarget.val);
}

/** Returns whether an insert selects its rows instead of naming their values. */
const isInsertOfSelect = ({ selectStmt }: Node): boolean =>
  isNode(selectStmt) && isNode(selectStmt.SelectStmt) && selectStmt.SelectStmt.valuesLists === undefined;

/** Returns whether a statement changes rows of a school table by those of another source. */
const isJoiningWrite = (all: readonly Node[]): boolean =>
  [...findNodes(all, 'UpdateStmt'), ...findNodes(all, 'DeleteStmt')].some(
    ({ relation, fromClause, usingClause }) =>
      isNode(relation) && SCHOOL.has(String(relation.relname)) && (fromClause ?? usingClause) !== undefined,
  );

/** `larg` and `rarg` are the halves of a UNION. */
const LEVELS = ['SelectStmt', 'UpdateStmt', 'DeleteStmt', 'larg', 'rarg'] as const;

/** What a statement does and which rules it breaks. Throws when PostgreSQL would not parse it. */
export function inspectStatement(text: string): Statement {
  const { stmts } = parseSync(text) as { stmts?: { stmt: Node }[] };
  const all = (stmts ?? []).map(({ stmt }) => stmt);
  const sets = [...findNodes(all, 'VariableSetStmt')];
  const result: Statement = {
    readsSchool: false,
    writesSchool: false,
    takesRole: undefined,
    transaction: undefined,
    unbound: [],
    breaches: [],
  };
  // The job queue's statements only use its own tables, outside any school's scope.
  if (sets.length > 0 && all.length > 1 && !text.includes('pgboss'))
    result.breaches.push('a SET is in a text of several statements');
  for (const set of sets)
    if (set.name === 'role')
      result.takesRole = JSON.stringify(set.args ?? []).includes('portal_school') ? 'school' : 'platform';
  for (const { kind } of findNodes(all, 'TransactionStmt'))
    if (kind === 'TRANS_STMT_BEGIN' || kind === 'TRANS_STMT_START') result.transaction = 'begin';
    else if (kind === 'TRANS_STMT_COMMIT' || kind === 'TRANS_STMT_ROLLBACK') result.transaction = 'end';

  const named = new Set([...findNodes(all, 'CommonTableExpr')].map(({ ctename }) => String(ctename)));
  const kinds = new Set<string>();
  for (const { relname, schemaname } of [...findNodes(all, 'RangeVar'), ...targets(all)])
    if ((schemaname ?? 'public') === 'public' && !named.has(String(relname))) {
      if (SCHOOL.has(String(relname))) kinds.add('school');
      else if (PLATFORM.has(String(relname))) kinds.add('platform');
      else if (!CATALOGUE.has(String(relname))) kinds.add('other');
    }
  result.readsSchool = kinds.has('school');
  if (kinds.has('school') && kinds.has('platform'))
    result.breaches.push('one statement uses platform tables and school tables');

  if (
    kinds.has('school') &&
    [...findNodes(all, 'ColumnRef')].some((ColumnRef) => columnOf({ ColumnRef })?.at(-1) === 'ctid')
  )
    result.breaches.push('rows of a school table are named by ctid');

  for (const level of LEVELS)
    for (const node of findNodes(all, level)) {
      const target = isNode(node.relation) ? [{ RangeVar: node.relation }] : [];
      const from = [...((node.fromClause ?? node.usingClause ?? []) as unknown[])];
      const { tables, conditions } = levelOf([...target, ...from], node.whereClause);
      for (const table of tables)
        if (SCHOOL.has(table.name) && !named.has(table.name) && !isBound(table, tables, conditions))
          result.unbound.push(table.name);
    }
  for (const insert of findNodes(all, 'InsertStmt')) {
    const table = String((insert.relation as Node).relname);
    if (!SCHOOL.has(table)) continue;
    if (!isInsertBound(insert, table)) result.unbound.push(table);
    // Without it the rows are copied, which row-level security rejects, and affected rows that existed are counted.
    if (isInsertOfSelect(insert) && insert.returningClause === undefined)
      result.breaches.push('an insert … select into a school table has no returning');
  }
  if (
    kinds.has('school') &&
    [...findNodes(all, 'CommonTableExpr')].some(({ ctequery }) => targets([{ ctequery }]).length > 0)
  )
    result.breaches.push('a common table expression of a school’s statement writes');
  if (isJoiningWrite(all) && isPreparable(text))
    result.breaches.push('an update … from or delete … using of a school table is prepared by name');
  result.writesSchool = targets(all).some(({ relname }) => SCHOOL.has(String(relname)) && !named.has(String(relname)));
  return result;
}

/** The tables that are written; tables with locked rows count as read. */
const targets = (all: readonly Node[]): Node[] =>
  ['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'].flatMap((kind) =>
    [...findNodes(all, kind)].map(({ relation }) => relation).filter(isNode),
  );
