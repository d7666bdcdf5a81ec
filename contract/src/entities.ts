/** The shapes that calls answer with, as JSON. Instants are ISO 8601 in UTC, days `YYYY-MM-DD`. */

export * from './entities/audit.ts';
export * from './entities/errors.ts';
export * from './entities/event-form.ts';
export * from './entities/events.ts';
export * from './entities/photos.ts';
export * from './entities/reports.ts';
export * from './entities/sessions.ts';
export * from './entities/site.ts';
