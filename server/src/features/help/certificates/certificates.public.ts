export { type Award } from './certificates.document.ts';
