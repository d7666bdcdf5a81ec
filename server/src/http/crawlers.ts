import type { FastifyRequest } from 'fastify';
import { asksForJson } from './accept.ts';

/**
 * The names of programs that show a preview of a link. Some of these programs accept any type: Facebook, WhatsApp and
 * Instagram, Signal (as WhatsApp), Telegram, Slack, Discord, LinkedIn, X, Skype and Teams, iMessage (as Facebook), Mastodon and its kin,
 * Viber, Pinterest, Reddit, Matrix, Snapchat, Bluesky, Mattermost, Nextcloud, VK. Their headers are in `crawlers.test.ts`.
 */
const CRAWLERS =
  /facebookexternalhit|Facebot|meta-external(agent|fetcher)|WhatsApp\/|TelegramBot|Slackbot|Slack-ImgProxy|Discordbot|LinkedInBot|Twitterbot|SkypeUriPreview|MicrosoftPreview|Mastodon\/|Pleroma|Akkoma|Misskey|Viber|Pinterestbot|redditbot|Synapse|Iframely|Embedly|Snap URL Preview|Cardyb\/|Mattermost-Bot|Nextcloud Server Crawler|vkShare/i;

const agentOf = ({ headers }: FastifyRequest): string => headers['user-agent'] ?? '';

/** Whether a known program asks that shows a preview of a link. It gets pages where it does not ask for a program's answer. */
export function isLinkCrawler(request: FastifyRequest): boolean {
  return CRAWLERS.test(agentOf(request)) && !asksForJson(request.headers.accept);
}

/** Whether a page goes to a program that may show a preview of its link; people's browsers need none of what that takes. */
export const maybeLinkCrawler = (request: FastifyRequest): boolean => isLinkCrawler(request) || !agentOf(request).startsWith('Mozilla/');
