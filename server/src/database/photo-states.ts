import { statesWith } from '@feierbild/contract/photo-states.ts';
import { sql } from 'kysely';

/** For statements written by hand: the photo's original is there, so that it counts. */
export const hasOriginal = sql<boolean>`photos.state in (${sql.join(statesWith('original').map((state) => sql.lit(state)))})`;
