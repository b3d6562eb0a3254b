import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Navigate, useParams, useSearchParams } from 'react-router';
import type { HostedInvoice } from '#contract/calls/hosted-invoices.ts';
import { paths } from '../../paths.ts';
import { isNotFound } from '../../shared/api-error.ts';
import { formatDate, formatExactMoney } from '../../shared/format.ts';
import { useSession } from '../../shared/session.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { FormActions } from '../../ui/Form.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../ui/PageSkeleton.tsx';
import { hostedInvoiceQuery, startCardPayment } from './billing.api.ts';
import { InvoiceStatus } from './components/InvoiceStatus.tsx';
import css from './HostedInvoicePage.module.css';

/** An invoice for whoever holds its link: what it says, and how to pay it. */
export default function HostedInvoicePage() {
  const { token = '' } = useParams();
  const [query] = useSearchParams();
  const isSignedIn = useSession() !== null;
  const { data, error, refetch } = useQuery(hostedInvoiceQuery(token));
  const hasPaid = query.get('payment') === 'received';
  if (hasPaid && isSignedIn) return <Navigate to={paths.thanks()} replace />;
  if (error && !data)
    return (
      <>
        <PageHeader title="Invoice" />
        {isNotFound(error) ? (
          <Notice kind="warning">There is no invoice behind this link. Check that it is complete.</Notice>
        ) : (
          <ErrorNotice error={error} onRetry={() => void refetch()} />
        )}
      </>
    );
  if (!data) return <PageSkeleton rows={8} />;
  return (
    <div data-wide>
      <PageHeader
        title={canBePaidHere(data.invoice) ? `Invoice ${data.invoice.number}` : 'How to pay'}
        lead={canBePaidHere(data.invoice) ? undefined : `Invoice ${data.invoice.number}`}
      />
      {hasPaid && data.invoice.status === 'open' && (
        <Notice kind="success">
          Thank you. We have received your payment; it can take a minute until this page says so.
        </Notice>
      )}
      <Invoice invoice={data.invoice} token={token} />
    </div>
  );
}

/** False for an unpaid invoice when neither a card nor bank details are set up: the page then says whom to contact. */
const canBePaidHere = ({ status, can_pay_by_card, content }: HostedInvoice): boolean =>
  status !== 'open' || can_pay_by_card || content.bank_account !== null;

function Invoice({ invoice, token }: { invoice: HostedInvoice; token: string }) {
  const { content } = invoice;
  return (
    <>
      <div className={css.head}>
        <div>
          <p className={css.total}>{formatExactMoney(invoice.total)}</p>
          <p className={css.state}>
            <InvoiceStatus status={invoice.status} /> <span>{stateText(invoice)}</span>
          </p>
        </div>
        <FormActions>
          <Button component="a" variant="default" href={new URL(invoice.invoice_pdf).pathname}>
            Download Invoice
          </Button>
        </FormActions>
      </div>
      {invoice.status === 'open' && <HowToPay invoice={invoice} token={token} />}
      <div className={css.parties}>
        <Party title="From" name={content.seller.name} lines={[...content.seller.address, content.seller.email]}>
          {content.seller.vat_number && <span>VAT number {content.seller.vat_number}</span>}
        </Party>
        <Party title="Billed to" name={content.school} lines={content.bill_to} />
        <Party
          title="Details"
          name={invoice.number}
          lines={[
            `Issued ${formatDate(invoice.issued_at)}`,
            `Due ${formatDate(invoice.due_date)}`,
            ...(invoice.po_number ? [`Purchase order ${invoice.po_number}`] : []),
          ]}
        />
      </div>
      <table className={css.lines}>
        <thead>
          <tr>
            <th scope="col">Description</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          {content.lines.map(({ text, detail, amount }) => (
            <tr key={text}>
              <td>
                {text}
                <span className={css.detail}>
                  {detail}: {formatDate(content.period.from)} to {formatDate(content.period.to)}
                </span>
              </td>
              <td>{formatExactMoney(amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <Sum name="Subtotal without VAT" amount={invoice.subtotal} />
          <Sum
            name={content.vat_rate > 0 ? `VAT at ${content.vat_rate / 100}%` : 'VAT: none charged'}
            amount={invoice.vat}
          />
          <Sum name="Total" amount={invoice.total} />
        </tfoot>
      </table>
    </>
  );
}

function stateText({ status, is_overdue, due_date, paid_on, credit_note }: HostedInvoice): string {
  if (status === 'open') return `${is_overdue ? 'was due' : 'due'} by ${formatDate(due_date)}`;
  if (status === 'paid' && paid_on) return `on ${formatDate(paid_on)}`;
  if (credit_note) return `by credit note ${credit_note.number}: ${credit_note.reason}`;
  return 'There is nothing to pay.';
}

function HowToPay({ invoice, token }: { invoice: HostedInvoice; token: string }) {
  const card = useMutation({
    mutationFn: () => startCardPayment(token),
    onSuccess: (url) => window.location.assign(url),
  });
  const { reset } = card;
  // Back from the card page restores this page as it was left, with the button pending.
  useEffect(() => {
    const release = (event: PageTransitionEvent) => event.persisted && reset();
    window.addEventListener('pageshow', release);
    return () => window.removeEventListener('pageshow', release);
  }, [reset]);
  const { bank_account: bank, seller } = invoice.content;
  return (
    <section className={css.pay} aria-labelledby="how-to-pay">
      <h2 id="how-to-pay">{canBePaidHere(invoice) ? 'How to pay' : 'By bank transfer'}</h2>
      {card.error && <ErrorNotice error={card.error} />}
      {invoice.can_pay_by_card && (
        <FormActions>
          <Button loading={card.isPending} onClick={() => card.mutate()}>
            Pay {formatExactMoney(invoice.total)} by card
          </Button>
        </FormActions>
      )}
      {bank ? (
        <dl>
          <Fact name="Bank transfer to" text={bank.name} />
          <Fact name="Sort code" text={bank.sort_code} />
          <Fact name="Account number" text={bank.number} />
          <Fact name="Reference" text={invoice.number} />
        </dl>
      ) : (
        <p>
          Use {invoice.number} as the reference. Ask{' '}
          <a href={`mailto:${seller.email}?subject=${encodeURIComponent(invoice.number)}`}>{seller.email}</a> for our
          bank details.
        </p>
      )}
    </section>
  );
}

const Fact = ({ name, text }: { name: string; text: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{text}</dd>
  </div>
);

const Sum = ({ name, amount }: { name: string; amount: number }) => (
  <tr>
    <th scope="row">{name}</th>
    <td>{formatExactMoney(amount)}</td>
  </tr>
);

interface PartyProps {
  title: string;
  name: string;
  lines: readonly string[];
  children?: React.ReactNode;
}

const Party = ({ title, name, lines, children }: PartyProps) => (
  <section>
    <h2>{title}</h2>
    <strong>{name}</strong>
    {lines.map((line, index) => (
      <span key={index}>{line}</span>
    ))}
    {children}
  </section>
);
