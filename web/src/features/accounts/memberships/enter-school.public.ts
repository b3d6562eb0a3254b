export { enterWith } from './model/return-to-school.ts';
