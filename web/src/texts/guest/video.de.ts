/** What is said of a video, in German. */
export const videoDe = {
  broken: 'Die Verbindung ist unterbrochen. Das Video geht von selbst weiter.',
  unplayable: 'Dieses Gerät kann das Video nicht abspielen',
  download: 'Herunterladen',
};
