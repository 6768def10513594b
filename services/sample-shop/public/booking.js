// The whole of what a page has to do.
const place = document.getElementById('payment');
const news = document.getElementById('news');

const widget = ServiceGroupPay({
  createSession: async () => {
    const response = await fetch(place.dataset.session, { method: 'POST' });
    if (!response.ok) throw new Error('The booking desk does not answer.');
    return response.json();
  },
  theme: { accentColor: '#0f766e' },
  onComplete: (group) => {
    news.textContent =
      group.state === 'partially_preauthorised'
        ? 'Your share is in. We wait for the others.'
        : 'Everyone is in!';
  },
  onError: (error) => {
    news.textContent = error.message;
  },
});

widget.mount(place);
