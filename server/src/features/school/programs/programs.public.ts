export { insertProgram } from './programs.queries.ts';
export { describePrograms } from './programs.service.ts';
export { endProgramsOfClosedSchool } from './review-programs.service.ts';
