import { Button } from '../../../../ui/Button.tsx';
import { TextInput } from '../../../../ui/Field.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from '../../../../ui/Link.tsx';
import { useNavigate } from '../../../../shared/router.ts';
import { z } from 'zod';
import { type PackageOffer, poNumber } from '#contract/calls/billing.ts';
import type { Contact } from '#contract/calls/contacts.ts';
import { countryName } from '#contract/countries.ts';
import { TAXABLE_COUNTRIES } from '#contract/money.ts';
import type { Quote } from '#contract/quote.ts';
import { paths } from '../../../../paths.ts';
import { ApiError } from '../../../../shared/api-error.ts';
import { formatExactMoney, formatPrice } from '../../../../shared/format.ts';
import { useIdempotencyKey } from '../../../../shared/idempotency-key.ts';
import { useSchemaForm } from '../../../../shared/use-schema-form.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { Form, FormActions, FormSection } from '../../../../ui/Form.tsx';
import { LeaveGuard, useLeaveGuard } from '../../../../ui/LeaveGuard.tsx';
import { PageHeader } from '../../../../ui/PageHeader.tsx';
import { useSchoolId } from '../../../../shared/session.ts';
import { ContactFields, contactFormWithEmail, contactValues } from '../../../school/school/school-form.public.ts';
import { packageQuery, useSubscribe } from '../billing.api.ts';
import { periodText, placesText, placesUsedText, yearlyText } from '../model/package-texts.ts';
import { VisuallyHidden } from '../../../../ui/VisuallyHidden.tsx';
import css from './BillingForm.module.css';
import { PackageRefusal, TooManyPupils } from './PackageRefusal.tsx';

const billingForm = z.object({ contact: contactFormWithEmail, po_number: poNumber });
const UNSAVED = 'Nothing has been bought yet.';
type Details = z.output<typeof billingForm>;

interface Props {
  offer: PackageOffer;
  contact: Contact | undefined;
}

/** The billing details, then a summary of the charges. Confirming the summary purchases the package. */
export function BillingForm({ offer, contact }: Props) {
  const schoolId = useSchoolId();
  const client = useQueryClient();
  const [checked, setChecked] = useState<{ details: Details; offer: PackageOffer } | null>(null);
  const [isEditing, setEditing] = useState(true);
  const form = useSchemaForm({
    schema: billingForm,
    initialValues: { contact: { type: 'billing' as const, ...contactValues(contact) }, po_number: '' },
    unsavedText: UNSAVED,
  });
  const submit = form.onSubmit(async (details) => {
    // VAT depends on the country, and another person may have changed the subscription.
    const query = packageQuery(schoolId, offer.id, details.contact.country_code);
    const reply = await client.fetchQuery({ ...query, staleTime: 0 });
    setChecked({ details, offer: reply.package });
    setEditing(reply.package.meta.refusal !== null);
  });
  const quote = checked && quoteOf(checked.offer);
  if (checked && quote && !isEditing) return <Summary {...checked} quote={quote} onChange={() => setEditing(true)} />;
  return (
    <>
      <PageHeader
        title="Billing details"
        lead="Who should get the invoice? You can check everything before you confirm."
      />
      {checked && !quote && (
        <Notice kind="warning">
          <PackageRefusal offer={checked.offer} />
        </Notice>
      )}
      <PackageSummary offer={offer} />
      <Form form={form} onSubmit={submit}>
        <FormSection title="Billing contact">
          <ContactFields field={(name) => form.field(`contact.${name}`)} hasEmail isBilling />
        </FormSection>
        <TextInput
          {...form.field('po_number')}
          label="Purchase order number (optional)"
          description="We show it on the invoice"
          autoComplete="off"
        />
        <Button type="submit" loading={form.isSubmitting}>
          Continue
        </Button>
      </Form>
    </>
  );
}

const kindOf = ({ meta, has_subscription }: PackageOffer): string => {
  if (meta.is_upgrading) return 'Upgrade for the rest of your year';
  if (!meta.is_extending) return '12 months';
  return has_subscription ? 'Extension by 12 months' : 'Change of package at renewal, for 12 months';
};

/** The price of an offer; null if it cannot be purchased now. */
const quoteOf = ({ meta: { due_now, due_yearly, period } }: PackageOffer): Quote | null =>
  due_now && due_yearly && period && { ...due_now, due_yearly, period };

function PackageSummary({ offer }: { offer: PackageOffer }) {
  const quote = quoteOf(offer);
  return (
    <section className={`box row spread ${css.chosen}`} aria-label="Chosen package">
      <div>
        <strong>{offer.title}</strong>
        <p>
          {placesText(offer.max_readers)}. {kindOf(offer)}.
        </p>
      </div>
      {quote && (
        <p className={css.price}>
          <strong>{formatPrice(quote.net)}</strong> now, then {yearlyText(quote.due_yearly)}, ex VAT
        </p>
      )}
    </section>
  );
}

const hasCode = (error: unknown, code: string): error is ApiError => error instanceof ApiError && error.code === code;

interface SummaryProps {
  offer: PackageOffer;
  details: Details;
  quote: Quote;
  onChange: () => void;
}

function Summary({ offer, details, quote: firstQuote, onChange }: SummaryProps) {
  const navigate = useNavigate();
  const { keyFor } = useIdempotencyKey();
  const subscribe = useSubscribe(useSchoolId());
  const [quote, setQuote] = useState(firstQuote);
  const [previous, setPrevious] = useState<Quote | null>(null);
  const { guard, release } = useLeaveGuard(true);
  const { contact, po_number } = details;
  const { vat_rate, active_pupils } = offer.meta;
  const isTaxed = TAXABLE_COUNTRIES.includes(contact.country_code);
  const confirm = async () => {
    const body = { package_id: offer.id, contact, po_number, expected_total: quote.total };
    try {
      await subscribe.mutateAsync({ body, idempotencyKey: keyFor(body) });
    } catch (error) {
      if (error instanceof ApiError && error.quote) {
        setPrevious(quote);
        setQuote(error.quote);
      }
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
      {previous && !subscribe.isPending && (
        <Notice isOutcome kind="warning" title="The price has changed">
          It was {formatExactMoney(previous.total)} and is now {formatExactMoney(quote.total)}, including VAT. You have
          not bought anything yet. Check the new price and confirm again.
        </Notice>
      )}
      {hasCode(subscribe.error, 'too_many_pupils') && (
        <Notice isOutcome kind="warning" title="Nothing has been bought">
          <TooManyPupils pupils={subscribe.error.pupils ?? active_pupils} places={offer.max_readers} />
        </Notice>
      )}
      {subscribe.error &&
        !hasCode(subscribe.error, 'price_changed') &&
        !hasCode(subscribe.error, 'too_many_pupils') && (
          <ErrorNotice error={subscribe.error} lost="Nothing has been bought." />
        )}
      <dl className={css.summary}>
        <Row
          name="Package"
          change={
            <Link to={paths.selectSubscription()}>
              Change<VisuallyHidden> package</VisuallyHidden>
            </Link>
          }
        >
          <strong>{offer.title}</strong>
          <span className="sentence block">{placesText(offer.max_readers)}</span>
          {kindOf(offer)}
        </Row>
        <Row name="Places used">{placesUsedText(active_pupils, offer.max_readers)}</Row>
        <Row
          name="Billed to"
          change={
            <button type="button" onClick={onChange} className="like-link">
              Change<VisuallyHidden> billing details</VisuallyHidden>
            </button>
          }
        >
          {address.map((line, index) => (
            <span key={index} className="block">
              {line}
            </span>
          ))}
          <span className="block">{contact.email}</span>
        </Row>
        <Row name="Purchase order">{po_number ?? 'None'}</Row>
        <Row name="Days covered">{periodText(quote.period)}</Row>
        <Row name="Price">{formatExactMoney(quote.net)}</Row>
        <Row name={isTaxed ? `VAT at ${vat_rate / 100}%` : 'VAT'}>
          {isTaxed ? formatExactMoney(quote.vat) : 'None outside the United Kingdom'}
        </Row>
        <Row name="Total now">
          <strong className={css.total}>{formatExactMoney(quote.total)}</strong>
        </Row>
        <Row name="After that">{yearlyText(quote.due_yearly)}, without VAT, if you renew at the current price</Row>
      </dl>
      <p>
        We send the invoice to {contact.email}. It is due in 30 days; an account with an overdue invoice is locked until
        the invoice is paid.
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
