export { resetOperator } from './factor-recovery.service.ts';
