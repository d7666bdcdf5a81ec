import { JoinForm } from './join-form.tsx';

/** /join: from the code to the event. */
export default function JoinPage() {
  return <JoinForm lead="Der Code steht auf der Einladung oder auf der Karte am Tisch." counter="always" />;
}
