import { parseSync } from 'libpg-query';
import { CATALOGUE_TABLES, PLATFORM_TABLES, SCHOOL_TABLES } from '../database/table-kinds.ts';

/*
 * What a statement owes to a cluster that is spread by school: docs/decisions/0003-a-cluster-by-school.md.
 * Read from PostgreSQL's own parse tree.
 */

/** What a text does with the tables, and which rules it breaks whoever sends it. */
interface Statement {
  readsSchool: boolean;
  writesSchool: boolean;
  /** The role that it takes, when it is such a statement. */
  takesRole: 'school' | 'platform' | undefined;
  /** `begin`, `commit`, `rollback`; not savepoints. */
  transaction: 'begin' | 'end' | undefined;
  /** School tables that no value of a school is given for. */
  unbound: string[];
  breaches: string[];
}

type Node = Record<string, unknown>;

const SCHOOL = new Set<string>(SCHOOL_TABLES);
const PLATFORM = new Set<string>(PLATFORM_TABLES);
const CATALOGUE = new Set<string>(CATALOGUE_TABLES);

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Every node of one kind below, not looking into the kinds in `stop`. */
function* find(node: unknown, kind: string, stop: readonly string[] = []): Generator<Node> {
  if (Array.isArray(node)) for (const part of node) yield* find(part, kind, stop);
  else if (isNode(node))
    for (const [key, value] of Object.entries(node)) {
      if (key === kind && isNode(value)) yield value;
      if (!stop.includes(key)) yield* find(value, kind, stop);
    }
}

const textOf = (node: unknown): string | undefined =>
  isNode(node) && isNode(node.String) ? String(node.String.sval) : undefined;

/** `c.school_id` as `['c', 'school_id']`. */
const columnOf = (node: unknown): string[] | undefined =>
  isNode(node) && isNode(node.ColumnRef)
    ? (node.ColumnRef.fields as unknown[]).map((field) => textOf(field) ?? '*')
    : undefined;

/** A parameter or constant, cast or not: known before any row is. */
function isValue(node: unknown): boolean {
  if (!isNode(node)) return false;
  if ('ParamRef' in node || 'A_Const' in node) return true;
  return isNode(node.TypeCast) && isValue(node.TypeCast.arg);
}

/** The conditions that all have to hold. */
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

/** The tables and conditions of one level: of its FROM, its joins, its target. */
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

/** True when a condition gives the table's school by value. */
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

/** Whether an insert says its school by value in every row. */
function isInsertBound(insert: Node, table: string): boolean {
  const columns = ((insert.cols as unknown[] | undefined) ?? []).map((column) =>
    isNode(column) && isNode(column.ResTarget) ? String(column.ResTarget.name) : '',
  );
  const index = columns.indexOf(keyOf(table));
  // A new school gets its id from the sequence.
  if (index < 0) return table === 'schools';
  const select = isNode(insert.selectStmt) && isNode(insert.selectStmt.SelectStmt) ? insert.selectStmt.SelectStmt : {};
  const rows = select.valuesLists as { List: { items: unknown[] } }[] | undefined;
  if (rows) return rows.every(({ List }) => isValue(List.items[index]));
  const target = (select.targetList as unknown[] | undefined)?.[index];
  return isNode(target) && isNode(target.ResTarget) && isValue(target.ResTarget.val);
}

/** `larg` and `rarg` are the halves of a UNION. */
const LEVELS = ['SelectStmt', 'UpdateStmt', 'DeleteStmt', 'larg', 'rarg'] as const;

/** What one text does, and what it breaks. Throws when PostgreSQL would not parse it. */
export function inspectStatement(text: string): Statement {
  const { stmts } = parseSync(text) as { stmts?: { stmt: Node }[] };
  const all = (stmts ?? []).map(({ stmt }) => stmt);
  const sets = [...find(all, 'VariableSetStmt')];
  const result: Statement = {
    readsSchool: false,
    writesSchool: false,
    takesRole: undefined,
    transaction: undefined,
    unbound: [],
    breaches: [],
  };
  // The job queue's own texts speak of its tables alone, and are sent in no school's scope.
  if (sets.length > 0 && all.length > 1 && !text.includes('pgboss'))
    result.breaches.push('a SET stands in a text of several statements');
  for (const set of sets)
    if (set.name === 'role')
      result.takesRole = JSON.stringify(set.args ?? []).includes('portal_school') ? 'school' : 'platform';
  for (const { kind } of find(all, 'TransactionStmt'))
    if (kind === 'TRANS_STMT_BEGIN' || kind === 'TRANS_STMT_START') result.transaction = 'begin';
    else if (kind === 'TRANS_STMT_COMMIT' || kind === 'TRANS_STMT_ROLLBACK') result.transaction = 'end';

  const named = new Set([...find(all, 'CommonTableExpr')].map(({ ctename }) => String(ctename)));
  const kinds = new Set<string>();
  for (const { relname, schemaname } of [...find(all, 'RangeVar'), ...targets(all)])
    if ((schemaname ?? 'public') === 'public' && !named.has(String(relname))) {
      if (SCHOOL.has(String(relname))) kinds.add('school');
      else if (PLATFORM.has(String(relname))) kinds.add('platform');
      else if (!CATALOGUE.has(String(relname))) kinds.add('other');
    }
  result.readsSchool = kinds.has('school');
  if (kinds.has('school') && kinds.has('platform'))
    result.breaches.push('platform tables and school tables stand in one statement');

  if (
    kinds.has('school') &&
    [...find(all, 'ColumnRef')].some((ColumnRef) => columnOf({ ColumnRef })?.at(-1) === 'ctid')
  )
    result.breaches.push('rows of a school table are named by ctid');

  for (const level of LEVELS)
    for (const node of find(all, level)) {
      const target = isNode(node.relation) ? [{ RangeVar: node.relation }] : [];
      const from = [...((node.fromClause ?? node.usingClause ?? []) as unknown[])];
      const { tables, conditions } = levelOf([...target, ...from], node.whereClause);
      for (const table of tables)
        if (SCHOOL.has(table.name) && !named.has(table.name) && !isBound(table, tables, conditions))
          result.unbound.push(table.name);
    }
  for (const insert of find(all, 'InsertStmt')) {
    const table = String((insert.relation as Node).relname);
    if (SCHOOL.has(table) && !isInsertBound(insert, table)) result.unbound.push(table);
  }
  result.writesSchool = targets(all).some(({ relname }) => SCHOOL.has(String(relname)) && !named.has(String(relname)));
  return result;
}

/** The tables that are written, and those whose rows are locked count as read. */
const targets = (all: readonly Node[]): Node[] =>
  ['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'].flatMap((kind) =>
    [...find(all, kind)].map(({ relation }) => relation).filter(isNode),
  );
