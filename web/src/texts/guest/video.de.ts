/** The German texts about a video. */
export const videoDe = {
  broken: 'Die Verbindung ist unterbrochen. Das Video geht von selbst weiter.',
  unplayable: 'Dieses Gerät kann das Video nicht abspielen',
};
