import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { z } from 'zod';
import { type PackageOffer, poNumber } from '#contract/calls/billing.ts';
import type { Contact } from '#contract/calls/contacts.ts';
import { TAXABLE_COUNTRIES, vatOn } from '#contract/money.ts';
import type { Quote } from '#contract/quote.ts';
import { paths } from '../../../paths.ts';
import { ApiError } from '../../../shared/api-error.ts';
import { formatDate, formatExactMoney } from '../../../shared/format.ts';
import { useIdempotencyKey } from '../../../shared/idempotency-key.ts';
import { useSchemaForm } from '../../../shared/use-schema-form.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Form, FormActions, FormSection } from '../../../ui/Form.tsx';
import { LeaveGuard, useLeaveGuard } from '../../../ui/LeaveGuard.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { useSchoolId } from '../../../shared/session.ts';
import { ContactFields, contactFormWithEmail, contactValues, countryName } from '../../school/school-form.public.ts';
import { useSubscribe } from '../billing.api.ts';
import { placesText } from '../model/package-texts.ts';
import css from './BillingForm.module.css';

const billingForm = z.object({ contact: contactFormWithEmail, po_number: poNumber });
const UNSAVED = 'Nothing has been bought yet.';
type Filled = z.output<typeof billingForm>;

/** The billing details, and their summary with what will be charged. Nothing is bought before the summary is confirmed. */
export function BillingForm({ offer, contact }: { offer: PackageOffer; contact: Contact | undefined }) {
  const [filled, setFilled] = useState<Filled | null>(null);
  const form = useSchemaForm({
    schema: billingForm,
    initialValues: { contact: { type: 'billing' as const, ...contactValues(contact) }, po_number: '' },
    unsavedText: UNSAVED,
  });
  const submit = form.onSubmit(async (details) => setFilled(details));
  if (filled) return <Summary offer={offer} filled={filled} onChange={() => setFilled(null)} />;
  return (
    <>
      <PageHeader
        title="Billing details"
        lead="Who gets the invoice. You see everything once more before you confirm."
      />
      <Chosen offer={offer} />
      <Form form={form} onSubmit={submit}>
        <FormSection title="Billing contact">
          <ContactFields field={(name) => form.field(`contact.${name}`)} hasEmail isBilling />
        </FormSection>
        <TextInput
          {...form.field('po_number')}
          label="Purchase order number (optional)"
          description="Stands on the invoice"
          autoComplete="off"
        />
        <Button type="submit">Continue</Button>
      </Form>
    </>
  );
}

const kindOf = ({ meta }: PackageOffer): string =>
  meta.is_upgrading ? 'Upgrade for the rest of your year' : meta.is_extending ? 'Extension by 12 months' : '12 months';

function Chosen({ offer }: { offer: PackageOffer }) {
  const price = offer.meta.prorated_price ?? offer.price;
  return (
    <section className={css.chosen} aria-label="Chosen package">
      <div>
        <strong>{offer.title}</strong>
        <p>
          {placesText(offer.max_readers)}. {kindOf(offer)}.
        </p>
      </div>
      <p className={css.price}>
        <strong>{formatExactMoney(price)}</strong> ex VAT
      </p>
    </section>
  );
}

const isPriceChanged = (error: unknown): boolean => error instanceof ApiError && error.code === 'price_changed';

interface SummaryProps {
  offer: PackageOffer;
  filled: Filled;
  onChange: () => void;
}

function Summary({ offer, filled, onChange }: SummaryProps) {
  const navigate = useNavigate();
  const { keyFor } = useIdempotencyKey();
  const subscribe = useSubscribe(useSchoolId());
  const [changed, setChanged] = useState<{ before: number; quote: Quote } | null>(null);
  const { guard, release } = useLeaveGuard(true);
  const { contact, po_number } = filled;
  const { vat_rate } = offer.meta;
  const period = changed?.quote.period ?? offer.meta.period;
  const isTaxed = TAXABLE_COUNTRIES.includes(contact.country_code);
  const price = changed?.quote.net ?? offer.meta.prorated_price ?? offer.price;
  const vat = changed?.quote.vat ?? vatOn(price, isTaxed ? vat_rate : 0);
  const total = price + vat;
  const confirm = async () => {
    const body = { package_id: offer.id, contact, po_number, expected_total: total };
    try {
      await subscribe.mutateAsync({ body, idempotencyKey: keyFor(body) });
    } catch (error) {
      if (error instanceof ApiError && error.quote) setChanged({ before: total, quote: error.quote });
      throw error;
    }
    release();
    await navigate(paths.feedback(contact.email), { replace: true });
  };
  const address = [
    contact.contact_name,
    contact.address_line_1,
    contact.address_line_2,
    contact.address_line_3,
    contact.address_line_4,
    contact.postcode.toUpperCase(),
    countryName(contact.country_code),
  ].filter(Boolean);
  return (
    <div data-wide>
      <PageHeader title="Check and confirm" />
      {changed && !subscribe.isPending && (
        <Notice kind="warning" title="The price has changed">
          It was {formatExactMoney(changed.before)} and is now {formatExactMoney(total)}, including VAT. You have not
          bought anything yet. Check the new price and confirm again.
        </Notice>
      )}
      {subscribe.error && !isPriceChanged(subscribe.error) && (
        <ErrorNotice error={subscribe.error} lost="Nothing has been bought." />
      )}
      <dl className={css.summary}>
        <Row
          name="Package"
          change={
            <Link to={paths.selectSubscription()}>
              Change<span className={css.hidden}> package</span>
            </Link>
          }
        >
          <strong>{offer.title}</strong>, {placesText(offer.max_readers)}
          <br />
          {kindOf(offer)}
          {period && `: ${formatDate(period.from)} to ${formatDate(period.to)}`}
        </Row>
        <Row
          name="Billed to"
          change={
            <button type="button" onClick={onChange} className={css.change}>
              Change<span className={css.hidden}> billing details</span>
            </button>
          }
        >
          {address.map((line, index) => (
            <span key={index} className={css.line}>
              {line}
            </span>
          ))}
          <span className={css.line}>{contact.email}</span>
        </Row>
        <Row name="Purchase order">{po_number ?? 'None'}</Row>
        <Row name="Price">{formatExactMoney(price)}</Row>
        <Row name={isTaxed ? `VAT at ${vat_rate / 100}%` : 'VAT'}>
          {isTaxed ? formatExactMoney(vat) : 'None outside the United Kingdom'}
        </Row>
        <Row name="Total">
          <strong className={css.total}>{formatExactMoney(total)}</strong>
        </Row>
      </dl>
      <p>
        We send the invoice to {contact.email}. It is due in 30 days; an account with an overdue invoice is locked until
        it is paid.
      </p>
      <FormActions>
        <Button loading={subscribe.isPending} onClick={() => void confirm().catch(() => undefined)}>
          Confirm subscription
        </Button>
        <Button variant="default" onClick={onChange}>
          Back
        </Button>
      </FormActions>
      <LeaveGuard {...guard}>{UNSAVED}</LeaveGuard>
    </div>
  );
}

function Row({ name, change, children }: { name: string; change?: React.ReactNode; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {change && <dd className={css.action}>{change}</dd>}
    </div>
  );
}
