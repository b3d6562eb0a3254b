import { defineFeature } from '../../../feature.ts';
import { bookHandlers } from './books.routes.ts';

export const booksFeature = defineFeature({
  handlers: bookHandlers,
});
