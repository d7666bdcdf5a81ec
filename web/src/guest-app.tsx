import { Failsafe } from './frame.tsx';
import EventPage from './pages/event/event-page.tsx';

/**
 * The app of the document /event/{code}: the guests' page alone. Most of its visitors see no other page, so their phones load neither
 * the router nor other pages: its links load documents.
 */
export function Guest({ path }: { path: string }) {
  return (
    <Failsafe>
      <EventPage code={codeIn(path)} />
    </Failsafe>
  );
}

function codeIn(path: string): string {
  const [, , code = ''] = path.split('/');
  try {
    return decodeURIComponent(code);
  } catch {
    return code;
  }
}
