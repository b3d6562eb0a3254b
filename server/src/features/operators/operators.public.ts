export { addOperator, removeOperator } from './operators.queries.ts';
