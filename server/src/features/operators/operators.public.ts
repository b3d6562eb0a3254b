export { addOperator, removeOperator } from './operators.queries.ts';
export { appointOperator } from './operators.service.ts';
