import type { FastifyRequest } from 'fastify';
import { asksForJson } from './accept.ts';

/**
 * Names of programs that show previews of links; some of them accept any type. Facebook, WhatsApp and Instagram, Signal (as WhatsApp),
 * Telegram, Slack, Discord, LinkedIn, X, Skype and Teams, iMessage (as Facebook), Mastodon and relatives, Viber, Pinterest, Reddit, Matrix,
 * Snapchat, Bluesky, Mattermost, Nextcloud, VK. Their headers are in `crawlers.test.ts`.
 */
const CRAWLERS =
  /facebookexternalhit|Facebot|meta-external(agent|fetcher)|WhatsApp\/|TelegramBot|Slackbot|Slack-ImgProxy|Discordbot|LinkedInBot|Twitterbot|SkypeUriPreview|MicrosoftPreview|Mastodon\/|Pleroma|Akkoma|Misskey|Viber|Pinterestbot|redditbot|Synapse|Iframely|Embedly|Snap URL Preview|Cardyb\/|Mattermost-Bot|Nextcloud Server Crawler|vkShare/i;

const agentOf = ({ headers }: FastifyRequest): string => headers['user-agent'] ?? '';

/** Tells whether the client is a known program that shows previews of links. It gets pages unless it asks for JSON. */
export function isLinkCrawler(request: FastifyRequest): boolean {
  return CRAWLERS.test(agentOf(request)) && !asksForJson(request.headers.accept);
}

/** Tells whether the client may show a preview of the link; people's browsers, which do not, need not wait for its data. */
export const maybeLinkCrawler = (request: FastifyRequest): boolean => isLinkCrawler(request) || !agentOf(request).startsWith('Mozilla/');
