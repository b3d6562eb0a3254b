export { chooseReadingWeeks } from './reading-week.service.ts';
