-- A publisher's catalogue: 50,000 titles besides our own. Run as a superuser.
insert into books (id, title, title_key, description, collection_key, reading_level, pages_count, library_position)
select 1000000 + n, title, lower(title), repeat('What this book is about, in a sentence or two. ', 4), 'default', 1 + n % 6, 12, 1000 + n
from generate_series(1, 50000) n,
  lateral (select (array['The', 'A', 'My', 'Our', 'That'])[1 + n % 5] || ' ' || (array['Quiet', 'Red', 'Lost', 'Brave', 'Muddy', 'Tiny',
    'Golden'])[1 + n % 7] || ' ' || (array['Otter', 'Lighthouse', 'Bicycle', 'Dragon', 'Kettle', 'Owl', 'Island', 'Robot', 'Garden', 'Moon',
    'Whale'])[1 + n % 11] || ' ' || n as title) t
on conflict (id) do nothing;
vacuum analyze books;
update collections set books_count = (select count(*) from books where collection_key = collections.key and withdrawn_at is null);
