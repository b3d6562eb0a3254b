import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/*
 * A custom package has one amount for its whole period. Its yearly price divides that amount by the period's length in
 * years: whole years from its first day, plus the remaining days as a share of the year in which they lie.
 */
const BACKFILL_YEARLY_PRICES = `
update subscriptions set price_per_year_pence = payment_amount_pence where payment_provider is distinct from 'manual'

update subscriptions s set price_per_year_pence = (
  select round(s.payment_amount_pence::numeric * year_days / (years * year_days + rest))
  from (
    select years, (first + make_interval(years => years + 1))::date - (first + make_interval(years => years))::date as year_days,
      after - (first + make_interval(years => years))::date as rest
    from (
      select (s.starts_at at time zone 'Europe/London')::date as first,
        coalesce(
          (select (i.content->'period'->>'to')::date from invoices i
            where i.school_id = s.school_id and i.subscription_id = s.id order by i.id limit 1),
          (s.expires_at at time zone 'Europe/London')::date) + 1 as after
    ) period, generate_series(0, 100) as years
    where (first + make_interval(years => years))::date <= after
    order by years desc limit 1
  ) length
  where years * year_days + rest > 0)
where s.payment_provider = 'manual'`;

/**
 * The yearly price of a subscription, so that amounts for periods of different length can be compared; the period that
 * an extension adds; the subscription that a custom package replaced; quantity, unit price and VAT rate of invoice
 * lines. See docs/decisions/invoices.md.
 */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
alter table subscriptions add column price_per_year_pence bigint

alter table subscriptions add column next_period jsonb
${BACKFILL_YEARLY_PRICES}

update subscriptions s set replaces_id = (
  select p.id from subscriptions p
  where p.school_id = s.school_id and p.id < s.id
    and (p.ended_at at time zone 'Europe/London')::date = (s.starts_at at time zone 'Europe/London')::date
  order by p.ended_at desc, p.id desc limit 1)
where s.payment_provider = 'manual' and s.replaces_id is null

update invoices set content = jsonb_set(content, '{lines}', (
  select coalesce(jsonb_agg(line || jsonb_build_object(
    'quantity', 1, 'unit_price_pence', line->'amount', 'vat_rate', content->'vat_rate') order by n), '[]')
  from jsonb_array_elements(content->'lines') with ordinality as lines (line, n)))
`,
  );
