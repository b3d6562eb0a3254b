export { type RetentionRule } from './table-entry.registry.ts';
export { HOLDINGS } from './holdings.registry.ts';
export { describeHoldings, replaceRetentionTable, titleOf, toNights } from './holdings.service.ts';
export { describeProcessors } from './processors.service.ts';
export { rulesOf, shortenableRule, TABLES, tableEntries } from './tables.registry.ts';
