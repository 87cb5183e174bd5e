export default { title: 'Lamp', url: 'https://lamp.example.org', baseUrl: '/', presets: [['classic', {}]] };
