export { listNeeds } from './needs-list.service.ts';
export { needWithoutFigures } from './need-sentences.service.ts';
export { chooseReadingWeeks, findPreviousSchoolWeek } from './reading-week.service.ts';
