export { enterWith } from './return-to-school.ts';
