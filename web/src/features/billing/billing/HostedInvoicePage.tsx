import { Button, ButtonAnchor } from '../../../ui/Button.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Navigate, useParams, useSearchParams } from '../../../shared/router.ts';
import type { HostedInvoice } from '#contract/calls/hosted-invoices.ts';
import { vatByRate } from '#contract/money.ts';
import { paths } from '../../../paths.ts';
import { isNotFound } from '../../../shared/api-error.ts';
import { formatDate, formatExactMoney } from '../../../shared/format.ts';
import { useSession } from '../../../shared/session.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { FormActions } from '../../../ui/Form.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../../ui/PageSkeleton.tsx';
import { hostedInvoiceQuery, startCardPayment } from './billing.api.ts';
import { InvoiceStatus } from './components/InvoiceStatus.tsx';
import { periodText, yearlyText } from './model/package-texts.ts';
import css from './HostedInvoicePage.module.css';

/** An invoice and how to pay it, for anyone with its link. */
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
          <Notice kind="warning">We cannot find an invoice with this link. Check that the link is complete.</Notice>
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
          Thank you. We have received your payment. It can take a minute until this page shows it.
        </Notice>
      )}
      <Invoice invoice={data.invoice} token={token} />
    </div>
  );
}

/** False for an unpaid invoice without card payment and bank details: the page then says who to contact. */
const canBePaidHere = ({ status, can_pay_by_card, bank_account }: HostedInvoice): boolean =>
  status !== 'open' || can_pay_by_card || bank_account !== null;

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
          <ButtonAnchor variant="default" href={new URL(invoice.invoice_pdf).pathname}>
            Download Invoice
          </ButtonAnchor>
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
          {content.lines.map(({ text, detail, amount }, index) => (
            <tr key={index}>
              <td>
                {text}
                <span className={css.detail}>
                  {detail}: {periodText(content.period)}
                </span>
              </td>
              <td>{formatExactMoney(amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <Sum name="Subtotal without VAT" amount={invoice.subtotal} />
          {vatByRate(content.lines).map(({ rate, vat }, _, { length }) => (
            <Sum
              key={rate}
              name={rate > 0 ? `VAT at ${rate / 100}%` : 'VAT: none charged'}
              amount={length === 1 ? invoice.vat : vat}
            />
          ))}
          <Sum name="Total" amount={invoice.total} />
        </tfoot>
      </table>
      {content.due_yearly && (
        <p className={css.renewal}>
          Then {yearlyText(content.due_yearly)}, without VAT, if the school renews at the current price.
        </p>
      )}
    </>
  );
}

function stateText({ status, is_overdue, due_date, paid_on, credit_note }: HostedInvoice): string {
  if (status === 'open') return `${is_overdue ? 'was due' : 'due'} by ${formatDate(due_date)}`;
  if (status === 'paid' && paid_on) return `on ${formatDate(paid_on)}`;
  if (credit_note) return `by credit note ${credit_note.number}: ${credit_note.reason}`;
  return 'You do not need to pay anything.';
}

function HowToPay({ invoice, token }: { invoice: HostedInvoice; token: string }) {
  const card = useMutation({
    mutationFn: () => startCardPayment(token),
    onSuccess: (url) => window.location.assign(url),
  });
  const { reset } = card;
  // The browser restores this page with the button still pending after Back from the card page.
  useEffect(() => {
    const release = (event: PageTransitionEvent) => event.persisted && reset();
    window.addEventListener('pageshow', release);
    return () => window.removeEventListener('pageshow', release);
  }, [reset]);
  const { bank_account: bank, content } = invoice;
  const { seller } = content;
  return (
    <section className={css.pay} aria-labelledby="how-to-pay">
      <h2 id="how-to-pay">{canBePaidHere(invoice) ? 'How to pay' : 'By bank transfer'}</h2>
      {card.error && <ErrorNotice error={card.error} />}
      {invoice.can_pay_by_card && (
        <FormActions>
          <Button loading={card.isPending || card.isSuccess} onClick={() => card.mutate()}>
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
