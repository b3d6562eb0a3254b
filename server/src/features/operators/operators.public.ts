export { addOperator, findOperatorName, findStaffUser, removeOperator } from './operators.queries.ts';
export { appointOperator } from './operators.service.ts';
