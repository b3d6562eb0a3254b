import { OverdueNotice } from './components/OverdueNotice.tsx';

/** The page to which staff of a locked school are redirected. */
export default function PaymentRequiredPage() {
  return <OverdueNotice />;
}
