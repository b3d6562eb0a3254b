import { OverdueNotice } from './components/OverdueNotice.tsx';

/** Where the staff of a locked school are led. */
export default function PaymentRequiredPage() {
  return <OverdueNotice />;
}
