import type { IncomingMessage } from 'node:http';

/** Calls back once the rest of a request's body has come, or its connection is closed; leaves no listener on a connection that goes on. */
export function afterBody(request: IncomingMessage, callback: () => void): void {
  const { socket } = request;
  const end = (): void => {
    request.off('end', end);
    socket.off('close', end);
    callback();
  };
  request.once('end', end);
  socket.once('close', end);
}
