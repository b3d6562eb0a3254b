export { rotateKey } from './key-rotation.service.ts';
export { addOperator, removeOperator } from './operators.queries.ts';
export { appointOperator } from './operators.service.ts';
