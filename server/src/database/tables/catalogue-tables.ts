import type { Generated } from 'kysely';
import type { Id } from './columns.ts';

interface Collections {
  key: string;
  title: string;
  position: number;
}
interface Books {
  id: number;
  title: string;
  description: string;
  collection_key: string;
  reading_level: number;
  pages_count: number;
}
interface BookPages {
  book_id: number;
  page: number;
  text: string;
}
interface Tags {
  id: Id;
  text: string;
}
interface BookTags {
  book_id: number;
  tag_id: number;
}
interface CatalogueState {
  only_row: Generated<boolean>;
  content_hash: string;
}
interface Packages {
  id: number;
  title: string;
  description: string;
  price_pence: number;
  is_trial: boolean;
  max_readers: number;
  position: number;
}

/** The catalogue: the same for all schools. */
export interface CatalogueTables {
  collections: Collections;
  books: Books;
  book_pages: BookPages;
  tags: Tags;
  book_tags: BookTags;
  catalogue_state: CatalogueState;
  packages: Packages;
}
