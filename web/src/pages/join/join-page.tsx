import { useJoin } from '../../lib/use-join.ts';
import { JoinForm } from './join-form.tsx';

/** /join: from the code to the event. */
export default function JoinPage() {
  const joining = useJoin();
  const lead = 'Der Code steht auf der Einladung oder auf der Karte am Tisch.';
  return <JoinForm joining={joining} onSubmit={(event) => joining.submit(event)} lead={lead} counter="always" />;
}
